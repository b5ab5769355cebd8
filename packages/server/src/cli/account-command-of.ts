import type { Command } from 'commander'
import { leafCommand } from './leaf-command.js'

/** A command about one account: `NAME SUPPLIER EXTERNAL_NUMBER`. */
export const accountCommandOf = (name: string, description: string): Command =>
  leafCommand(name, description)
    .argument('<supplier>', 'import supplier code')
    .argument('<external-number>', "the supplier's own account number")
