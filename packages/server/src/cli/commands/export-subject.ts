import type { Command } from 'commander'
import { accountCommandOf } from '../account-command-of.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { operate } from '../operate.js'
import { subjectDocument } from '../output/subject-document.js'

/** `export-subject SUPPLIER EXTERNAL_NUMBER` */
export const exportSubjectCommand = (context: CliContext): Command =>
  accountCommandOf('export-subject', 'Print everything that is held of an account, as one JSON document.')
    .summary('Everything that is held of an account, as one JSON document.')
    .action((importSupplier: string, externalAccountNumber: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.exportSubject({ importSupplier, externalAccountNumber }),
        (held) => ({ json: undefined, result: '', document: subjectDocument(held) }),
      ),
    )
