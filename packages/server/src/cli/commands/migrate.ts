import type { Actor } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import type { ServerConfig } from '../../config/read-config.js'
import { type CliContext, type CommandOutput, leafCommand } from '../command.js'
import { actorOf, withConfig } from '../operate.js'

/** Not loaded before it is needed: it brings the drivers of databases. */
const database = () => import('../../service/database.js')

const named = (title: string, names: readonly string[], none: string): string =>
  names.length === 0 ? none : [title, ...names.map((name) => `  ${name}`)].join('\n')

const status = async (config: ServerConfig): Promise<CommandOutput> => {
  const { migrationsOf } = await database()
  const { done, pending } = await migrationsOf(config)
  return {
    json: { applied: done, pending },
    result: [
      named('Applied:', done, 'No migration is applied.'),
      named('Pending:', pending, 'No migration is pending.'),
    ].join('\n'),
  }
}

const apply = async (config: ServerConfig, operator: Actor): Promise<CommandOutput> => {
  const { migrateDatabase, recordMigration } = await database()
  const names = await migrateDatabase(config)
  const { openService } = await import('../../service/open-service.js')
  const service = await openService(config, { operator })
  try {
    await recordMigration(service.useCases, names)
    return {
      json: { applied: names },
      message: named('Applied:', names, 'The database is up to date already.'),
    }
  } finally {
    await service.close()
  }
}

/** `migrate [--status]` */
export const make = (context: CliContext): Command =>
  leafCommand('migrate')
    .option('--status', 'only show what is applied and what is pending')
    .action((options: Readonly<{ status?: true }>) =>
      withConfig(context, async (config) => {
        const action = options.status === true ? status : apply
        context.finish(E.right(await action(config, actorOf(context))))
      }),
    )
