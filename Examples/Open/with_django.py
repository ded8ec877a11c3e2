import contextlib
import importlib
import pathlib
import sys

import django
from django.conf import settings
from django.core import checks, management

# In a project, the settings and the app are there already; the next line of the shell does it all:
# python manage.py inspectdb > notes/models.py
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1]}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["notes"],
)
sys.path.insert(0, ".")
pathlib.Path("notes").mkdir()
pathlib.Path("notes/__init__.py").touch()
django.setup()
with open("notes/models.py", "w") as file, contextlib.redirect_stdout(file):
    management.call_command("inspectdb")

models = importlib.import_module("notes.models")
assert checks.run_checks() == []
for folder in models.Mtfolder.objects.all():
    notes = folder.mtnote_set.order_by("notes_position")
    print(folder.title, [note.title for note in notes[:2]])
