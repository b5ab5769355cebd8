import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import type { ServerConfig } from '../../config/server-config.js'
import { recordMigration } from '../../service/record-migration.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import type { CommandOutput } from '../command-result.js'
import { configured } from '../configured.js'
import { leafCommand } from '../leaf-command.js'

type Options = JsonOption & Readonly<{ status?: true }>

/** Not loaded before it is needed: it brings the drivers of databases. */
const migrations = () => import('../../service/migrations.js')

const named = (title: string, names: readonly string[], none: string): string =>
  names.length === 0 ? none : [title, ...names.map((name) => `  ${name}`)].join('\n')

const status = async (config: ServerConfig): Promise<CommandOutput> => {
  const { migrationsOf } = await migrations()
  const { done, pending } = await migrationsOf(config)
  return {
    json: { applied: done, pending },
    result: [
      named('Applied:', done, 'No migration is applied.'),
      named('Pending:', pending, 'No migration is pending.'),
    ].join('\n'),
  }
}

const apply = async (config: ServerConfig, who: string): Promise<CommandOutput> => {
  const { migrateDatabase } = await migrations()
  const names = await migrateDatabase(config)
  const { openService } = await import('../../service/open-service.js')
  const service = await openService(config, { operator: { who } })
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
export const migrateCommand = ({ io, finish, operator }: CliContext): Command =>
  leafCommand('migrate', 'Bring the tables of the database to this version.')
    .option('--status', 'only show what is applied and what is pending')
    .action(async (options: Options) => {
      const config = configured(io, 'operate')
      if (config._tag === 'Left') return finish(config, options)
      const action = options.status === true ? status : apply
      finish(E.right(await action(config.right, `operator ${operator()}`)), options)
    })
