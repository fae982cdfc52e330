"""The tests mirror the folders of app."""
