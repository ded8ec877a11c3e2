import ConvertCommand

ConvertCommand.main()
