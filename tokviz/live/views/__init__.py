"""What browsers are sent about documents, one module for each view."""
