"""What browsers are told about documents, one module for each view."""
