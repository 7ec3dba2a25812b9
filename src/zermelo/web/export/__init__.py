"""The explorer as a folder of files: a page that any web host serves, without Python."""
