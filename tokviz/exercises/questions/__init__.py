"""The kinds of questions, one a file: a class with all that shows it on pages, slides, worksheets and in notebooks."""
