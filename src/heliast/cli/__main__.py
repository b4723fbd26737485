from heliast.cli import start

start()
