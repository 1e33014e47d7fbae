"""The page: a few static files, and the libraries that the build places beside them."""
