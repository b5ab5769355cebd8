import { counted, numberText, oneCell } from '@account-import/account-files'
import { type CliIo, exitCode, leafCommand, printFindings } from '@account-import/cli/kit'
import type { DocumentsChecked, MissingDocument } from '@account-import/core'
import { isPortFailure, mapped } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import { Option } from 'commander'
import { failureOf, operatorCommands } from '../operate.js'

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

/** `documents missing SUPPLIER [--ndjson]` */
export const make = operatorCommands(({ printing }, context) => [
  printing(
    leafCommand('missing', about)
      .example('documents missing LEVANTE', 'documents missing LEVANTE --ndjson > missing.ndjson')
      .summary('List the documents of accounts that are missing in the storage.')
      .argument('<supplier>', 'import supplier code')
      .addOption(new Option('--ndjson', 'print one JSON object a line').conflicts('json')),
    async ({ operator }, importSupplier: string, options: Readonly<{ ndjson?: true }>) => {
      const form = context.json() ? 'document' : options.ndjson === true ? 'ndjson' : 'lines'
      const begun = await operator.missingDocuments(importSupplier)
      if (E.isLeft(begun)) context.finish(E.left(failureOf(begun.left)))
      else context.end((await print(context.io, form, begun.right)) ?? exitCode.done)
    },
  ),
])
