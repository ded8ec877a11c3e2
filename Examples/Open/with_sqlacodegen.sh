sqlacodegen --noviews "sqlite:///$1" > models.py
grep "^class" models.py
