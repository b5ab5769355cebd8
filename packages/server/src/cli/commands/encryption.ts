import type { PortFailure } from '@account-import/core'
import { E, type Either, TE } from '@account-import/core/adapter-kit'
import { Command } from 'commander'
import type { ServerConfig } from '../../config/server-config.js'
import type { EncryptionStatus, KeyUse, Rewrapped } from '../../service/encryption-keys.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import { exitCode } from '../command-result.js'
import { configured } from '../configured.js'
import { portFailureOf } from '../environment-failure.js'
import { leafCommand } from '../leaf-command.js'
import { table } from '../output/table.js'

/** Not loaded before it is needed: it brings the drivers of databases. */
const service = () => import('../../service/encryption-keys.js')

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

const status = ({ io, finish }: CliContext): Command =>
  leafCommand(
    'status',
    'Count the data of each encryption key, by the names of keys, and the plain data.',
  ).action(async (options: JsonOption) => {
    const config = configured(io, 'operate')
    if (config._tag === 'Left') return finish(config, options)
    const found = await (await service()).encryptionStatus(config.right)
    const message =
      found.currentKeyId === undefined
        ? 'New data is not encrypted: ENCRYPTION_KEYS is not set.'
        : `New data is encrypted with the key ${found.currentKeyId}.`
    finish(E.right({ json: statusJson(found), result: statusText(found), message }), options)
  })

const about = `Wrap all data keys with the first of ENCRYPTION_KEYS; the data is not touched. May run beside servers, be stopped, and be
run again. Afterwards only backups need the other keys.`

type Thrown = Readonly<{ _tag: 'Thrown'; cause: unknown }>

/** Rejects with `StartError`, as what it records does. */
const recordedRewrap = async (config: ServerConfig, who: string): Promise<Either<PortFailure, Rewrapped>> => {
  const { rewrapped } = await service()
  const { openService } = await import('../../service/open-service.js')
  const opened = await openService(config, { onlyExisting: true, operator: { who } })
  try {
    const task = TE.tryCatch(
      () => rewrapped(config),
      (cause): Thrown => ({ _tag: 'Thrown', cause }),
    )
    const done = await opened.useCases.audit.recorded<Thrown, Rewrapped>('rewrapDataKeys', task)()
    if (E.isRight(done)) return done
    if (done.left._tag === 'Thrown') throw done.left.cause
    return E.left(done.left)
  } finally {
    await opened.close()
  }
}

const rewrap = ({ io, finish, operator }: CliContext): Command =>
  leafCommand('rewrap', about)
    .summary('Wrap all data keys with the first of ENCRYPTION_KEYS.')
    .action(async (options: JsonOption) => {
      const config = configured(io, 'operate')
      if (config._tag === 'Left') return finish(config, options)
      if (config.right.encryptionKeys === undefined) {
        const detail = 'ENCRYPTION_KEYS is not set: there is no key to wrap with.'
        return finish(E.left({ exitCode: exitCode.refused, code: 'no_encryption_keys', detail }), options)
      }
      const outcome = await recordedRewrap(config.right, `operator ${operator()}`)
      if (E.isLeft(outcome)) return finish(E.left(portFailureOf(outcome.left)), options)
      const done = outcome.right
      const { currentKeyId, uses } = done.status
      const left = uses.reduce(
        (sum, { keyId, count }) => (keyId === undefined || keyId === currentKeyId ? sum : sum + count),
        0,
      )
      finish(
        E.right({
          json: { rewrapped: done.rewrapped, on_other_keys: left, ...statusJson(done.status) },
          message: `${done.rewrapped} data keys were wrapped anew; ${left} hang on another key than ${currentKeyId}.`,
          ...(left > 0 && { exitCode: exitCode.dataHasFailures }),
        }),
        options,
      )
    })

/** `encryption status | rewrap` */
export const encryptionCommand = (context: CliContext): Command =>
  new Command('encryption')
    .description('Keys that encrypt personal data.')
    .addCommand(status(context))
    .addCommand(rewrap(context))
