datasette "$1" --get \
    "/${1%.sqlite}/MTNote.json?_shape=array&_sort_desc=price_number&_size=1&_col=title&_col=price"
