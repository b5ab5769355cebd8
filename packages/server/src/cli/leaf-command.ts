import { Command } from 'commander'

/** A command that does something, with the options that every one has. */
export const leafCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--json', 'print one JSON document to stdout, and nothing else there')
    .allowExcessArguments(false)
