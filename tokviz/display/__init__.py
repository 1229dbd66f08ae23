"""What leaves the app: coloured text for documents, notebooks and terminals, and pages that need no server.

The colours and the signs for what cannot be seen are those of the pages.
"""
