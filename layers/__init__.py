"""What Metes knows of the world: layer specifications, bylaws, editions on disk, the demo towns."""
