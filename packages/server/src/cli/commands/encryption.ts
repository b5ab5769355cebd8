import { portCall } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import {
  type CliContext,
  type CommandOutput,
  exitCode,
  leafCommand,
  refused,
  table,
} from '@account-import/cli/kit'
import type { ServerConfig } from '../../config/read-config.js'
import type { encryptionStatus, KeyUse, rewrapped } from '../../service/database.js'
import { failureOf, withConfig, withService } from '../operate.js'

/** Loaded on use, because this module imports the drivers of databases. */
const service = () => import('../../service/database.js')

type EncryptionStatus = Awaited<ReturnType<typeof encryptionStatus>>

const statusJson = ({ currentKeyId, uses }: EncryptionStatus) => ({
  current_key: currentKeyId ?? null,
  uses: uses.map(({ kind, keyId, count }) => ({ what: kind, key: keyId ?? null, count })),
})

const statusText = ({ currentKeyId, uses }: EncryptionStatus): string => {
  const keyText = ({ keyId }: KeyUse): string => {
    if (keyId === undefined) return 'none'
    return keyId === currentKeyId ? `${keyId} (current)` : keyId
  }
  const rows = uses.map((use) => [use.kind, keyText(use), String(use.count)])
  return table(['WHAT', 'KEY', 'COUNT'], rows)
}

const status = (context: CliContext) =>
  leafCommand('status', 'Count the data of each encryption key, by the names of keys, and the plain data.')
    .example('encryption status', 'encryption status --json')
    .action(() =>
      withConfig(context, async (config) => {
        const found = await (await service()).encryptionStatus(config)
        const message =
          found.currentKeyId === undefined
            ? 'New data is not encrypted: ENCRYPTION_KEYS is not set.'
            : `New data is encrypted with the key ${found.currentKeyId}.`
        context.finish(E.right({ json: statusJson(found), result: statusText(found), message }))
      }),
    )

const about = `Wrap all data keys with the first of ENCRYPTION_KEYS; the data is not touched. May run beside servers, be stopped, and be
run again. Afterwards only backups need the other keys.`

type Rewrapped = Awaited<ReturnType<typeof rewrapped>>

/** Wraps the data keys, with an audit event. Rejects with `StartError`. */
const recordedRewrap = (context: CliContext, config: ServerConfig): Promise<void> =>
  withService(context, async ({ useCases }) => {
    const { rewrapped } = await service()
    const work = () => portCall('database')('rewrap', () => rewrapped(config))
    context.finish(
      E.bimap(failureOf, outputOf)(await useCases.audit.recorded<never, Rewrapped>('rewrapDataKeys', work)),
    )
  })

const outputOf = ({ rewrapped, status: now }: Rewrapped): CommandOutput => {
  const { currentKeyId, uses } = now
  const others = uses.filter(({ keyId }) => keyId !== undefined && keyId !== currentKeyId)
  const left = others.reduce((sum, { count }) => sum + count, 0)
  return {
    json: { rewrapped, on_other_keys: left, ...statusJson(now) },
    message: `${rewrapped} data keys were wrapped again; ${left} use another key than ${currentKeyId}.`,
    ...(left > 0 && { exitCode: exitCode.dataHasFailures }),
  }
}

const noKeys = refused('no_encryption_keys', 'ENCRYPTION_KEYS is not set: there is no key to wrap with.')

const rewrap = (context: CliContext) =>
  leafCommand('rewrap', about)
    .example('encryption rewrap')
    .summary('Wrap all data keys with the first of ENCRYPTION_KEYS.')
    .action(() =>
      withConfig(context, async (config) => {
        if (config.encryptionKeys === undefined) return context.finish(E.left(noKeys))
        await recordedRewrap(context, config)
      }),
    )

/** `encryption status | rewrap` */
export const make = (context: CliContext) => [status(context), rewrap(context)]
