import type { Instant } from '@account-import/core'
import { Command } from 'commander'
import { instantArgument } from '../arguments/instant-argument.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import { exitCode } from '../exit-code.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { auditBreakText, auditBreakJson } from '../output/audit-breaks.js'
import { entryShown } from '../output/entry-shown.js'
import { headJson, headText } from '../output/heads.js'
import { streamPages } from '../stream-pages.js'
import { knownHeads } from '../known-heads.js'
import { verifyRecord } from '../verify-record.js'

type ListOptions = JsonOption &
  Readonly<{ organisation?: string; supplier?: string; account?: string; since?: Instant; until?: Instant }>

const list = (context: CliContext): Command => {
  const command = leafCommand(
    'list',
    'Show what was done: what is sealed by its number, then what waits to be sealed.',
  )
    .option('--organisation <code>', 'only what belongs to this organisation')
    .option('--supplier <code>', 'only what belongs to this import supplier')
    .option('--account <external-number>', 'with --supplier: only what was done to this account')
    .option('--since <instant>', 'only what was done then or later, as 2025-09-01T10:00:00Z', instantArgument)
    .option('--until <instant>', 'only what was done before', instantArgument)
  return command.action(
    async ({ organisation, supplier, account, since, until, ...options }: ListOptions) => {
      if (account !== undefined && supplier === undefined) command.error('error: --account needs --supplier')
      const wanted = {
        organisation,
        importSupplier: supplier,
        externalAccountNumber: account,
        from: since,
        until,
      }
      await streamPages(context, options, (_, audit) => audit.list(wanted), entryShown)
    },
  )
}

const head = (context: CliContext): Command =>
  leafCommand(
    'head',
    'Print the end of each chain: organisation, number, hash. Keep it where nobody can change it.',
  ).action((options: JsonOption) =>
    operate(
      context,
      options,
      (_, audit) => audit.heads(),
      (heads) => ({ json: heads.map(headJson), result: heads.map(headText).join('\n') }),
    ),
  )

type VerifyOptions = JsonOption & Readonly<{ organisation?: string; head?: string }>

const verify = (context: CliContext): Command =>
  leafCommand(
    'verify',
    'Work out the hashes of all sealed entries again: changed and missing ones are found.',
  )
    .option('--organisation <code>', 'only the chain of this organisation')
    .option(
      '--head <file-or-hash>',
      'what `audit head` printed once, or one hash of it: finds chains that were cut',
    )
    .action(async ({ organisation, head: given, ...options }: VerifyOptions) => {
      const heads = given === undefined ? { _tag: 'Right' as const, right: [] } : await knownHeads(given)
      if (heads._tag === 'Left') return context.finish(heads, options)
      await operate(
        context,
        options,
        (_, audit) => verifyRecord(audit, { organisation, heads: heads.right }),
        ({ entries, found, breaks }) => ({
          json: { entries, breaks: breaks.map(auditBreakJson), found },
          ...(found > 0 && { result: breaks.map(auditBreakText).join('\n') }),
          message:
            found === 0
              ? `${entries} entries are as they were sealed.`
              : `${found} breaks in ${entries} entries; the first ${breaks.length} are shown.`,
          ...(found > 0 && { exitCode: exitCode.dataHasFailures }),
        }),
      )
    })

/** `audit list | verify | head` */
export const auditCommand = (context: CliContext): Command =>
  new Command('audit')
    .description('The record of what was done, by whom and when.')
    .addCommand(list(context))
    .addCommand(verify(context))
    .addCommand(head(context))
