import { E } from '@account-import/core/fp'
import { type CliContext, leafCommand } from '@account-import/cli/kit'
import type { ServerConfig } from '../../config/read-config.js'
import { withConfig, withService } from '../operate.js'

/** Loaded on use, because this module imports the drivers of databases. */
const database = () => import('../../service/database.js')

const named = (title: string, names: readonly string[], none: string): string =>
  names.length === 0 ? none : [title, ...names.map((name) => `  ${name}`)].join('\n')

const status = async (context: CliContext, config: ServerConfig): Promise<void> => {
  const { migrationsOf } = await database()
  const { done, pending } = await migrationsOf(config)
  const result = [
    named('Applied:', done, 'No migration is applied.'),
    named('Pending:', pending, 'No migration is pending.'),
  ].join('\n')
  context.finish(E.right({ json: { applied: done, pending }, result }))
}

const apply = async (context: CliContext, config: ServerConfig): Promise<void> => {
  const { migrateDatabase, recordMigration } = await database()
  const names = await migrateDatabase(config)
  await withService(
    context,
    async ({ useCases }) => {
      await recordMigration(useCases, names)
      const message = named('Applied:', names, 'The database is up to date already.')
      context.finish(E.right({ json: { applied: names }, message }))
    },
    'begins',
  )
}

/** `migrate [--status]` */
export const make = (context: CliContext) =>
  leafCommand('migrate')
    .example('migrate', 'migrate --status')
    .option('--status', 'only show what is applied and what is pending')
    .action((options: Readonly<{ status?: true }>) =>
      withConfig(context, (config) => (options.status === true ? status : apply)(context, config)),
    )
