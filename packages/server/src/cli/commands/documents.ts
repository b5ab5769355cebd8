import { Command, Option } from 'commander'
import { E } from '@account-import/core/adapter-kit'
import type { CliContext, JsonOption } from '../cli-context.js'
import { configured } from '../configured.js'
import { leafCommand } from '../leaf-command.js'
import { failureOf } from '../operate.js'
import { missingFormats, type MissingFormat } from '../output/missing-documents.js'
import { printMissing } from '../print-missing.js'

type Options = JsonOption & Readonly<{ ndjson?: true }>

const formatOf = ({ json, ndjson }: Options): MissingFormat => {
  if (json === true) return missingFormats.document
  return ndjson === true ? missingFormats.ndjson : missingFormats.lines
}

const run = async (
  { io, finish, end, operator }: CliContext,
  importSupplier: string,
  options: Options,
): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const { openService } = await import('../../service/open-service.js')
  const service = await openService(config.right, {
    onlyExisting: true,
    operator: { who: `operator ${operator()}` },
  })
  try {
    const begun = await service.useCases.operator.missingDocuments(importSupplier)()
    if (begun._tag === 'Left') finish(E.left(failureOf(begun.left)), options)
    else end(await printMissing(io, formatOf(options), begun.right))
  } finally {
    await service.close()
  }
}

const about = `List the documents that staged and created accounts name and that are not in the storage.
Prints the external account number, a tab and the path, in order, while it looks; exits with 1 when some are missing.`

const missing = (context: CliContext): Command =>
  leafCommand('missing', about)
    .summary('List the documents that accounts name and that are not in the storage.')
    .argument('<supplier>', 'import supplier code')
    .addOption(new Option('--ndjson', 'print one JSON object a line').conflicts('json'))
    .action((importSupplier: string, options: Options) => run(context, importSupplier, options))

/** `documents missing SUPPLIER [--ndjson]` */
export const documentsCommand = (context: CliContext): Command =>
  new Command('documents').description('Documents that accounts name.').addCommand(missing(context))
