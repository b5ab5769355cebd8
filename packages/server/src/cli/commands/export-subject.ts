import type { Command } from 'commander'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { subjectDocument } from '../output/subject-document.js'

/** `export-subject SUPPLIER EXTERNAL_NUMBER` */
export const exportSubjectCommand = (context: CliContext): Command =>
  leafCommand('export-subject', 'Print everything that is held of an account, as one JSON document.')
    .summary('Everything that is held of an account, as one JSON document.')
    .argument('<supplier>', 'import supplier code')
    .argument('<external-number>', "the supplier's own account number")
    .action((importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.exportSubject({ importSupplier, externalAccountNumber }),
        (held) => ({ json: undefined, result: '', document: subjectDocument(held) }),
      ),
    )
