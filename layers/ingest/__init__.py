"""From a file of an agency or of staff to a finished edition: read → map → move → mend → cover → cut → write.

All of it runs in a process of its own (``python -m layers.ingest``), with its own list of formats and limits.
"""
