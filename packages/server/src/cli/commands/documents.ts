import type { DocumentsChecked, MissingDocument, PortFailure } from '@account-import/core'
import { mapped } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import { Option } from 'commander'
import {
  type CliContext,
  type CliIo,
  counted,
  exitCode,
  leafCommand,
  numberText,
  oneCell,
  printFindings,
} from '@account-import/cli/kit'
import { failureOf, withService } from '../operate.js'

const isPortFailure = (thrown: unknown): thrown is PortFailure =>
  typeof thrown === 'object' && thrown !== null && '_tag' in thrown && thrown._tag === 'PortFailure'

/** Prints missing documents. `references` counts the distinct paths of each account. */
const print = (io: CliIo, form: 'lines' | 'ndjson' | 'document', checks: AsyncIterable<DocumentsChecked>) => {
  const totals = { accounts: 0, references: 0 }
  return printFindings<MissingDocument>(
    io,
    {
      form,
      name: 'missing',
      text: ({ externalAccountNumber, path }) => `${oneCell(externalAccountNumber)}\t${oneCell(path)}`,
      json: ({ externalAccountNumber, platformAccountNumber, path }) => ({
        external_account_number: externalAccountNumber,
        platform_account_number: platformAccountNumber ?? null,
        path,
      }),
      totals,
      summary: (count) => {
        const all = `${counted(totals.references, 'document')} of ${counted(totals.accounts, 'account')}`
        return count === 0 ? `None of ${all} is missing.` : `${numberText(count)} of ${all} missing.`
      },
      failureOf: (thrown) => {
        if (!isPortFailure(thrown)) throw thrown
        return failureOf(thrown)
      },
    },
    mapped(checks, ({ accounts, references, missing }) => {
      totals.accounts += accounts
      totals.references += references
      return missing
    }),
  )
}

const about = `List the documents of staged and created accounts that are missing in the storage.
Prints external account number, tab and path of each, in order, during the search; exits with 1 if any is missing.`

const missing = (context: CliContext) =>
  leafCommand('missing', about)
    .example('documents missing LEVANTE', 'documents missing LEVANTE --ndjson > missing.ndjson')
    .summary('List the documents of accounts that are missing in the storage.')
    .argument('<supplier>', 'import supplier code')
    .addOption(new Option('--ndjson', 'print one JSON object a line').conflicts('json'))
    .action((importSupplier: string, options: Readonly<{ ndjson?: true }>) =>
      withService(context, async ({ useCases: { operator } }) => {
        const form = context.json() ? 'document' : options.ndjson === true ? 'ndjson' : 'lines'
        const begun = await operator.missingDocuments(importSupplier)
        if (begun._tag === 'Left') context.finish(E.left(failureOf(begun.left)))
        else context.end((await print(context.io, form, begun.right)) ?? exitCode.done)
      }),
    )

/** `documents missing SUPPLIER [--ndjson]` */
export const make = (context: CliContext) => [missing(context)]
