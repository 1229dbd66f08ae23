"""What browsers are told of documents, view by view."""
