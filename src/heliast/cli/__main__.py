from heliast.cli import main

main()
