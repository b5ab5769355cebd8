import type { Command } from 'commander'
import type { ApiKeyRecord } from '@account-import/core'
import type { CliContext, JsonOption } from '../cli-context.js'
import { leafCommand } from '../leaf-command.js'
import { operate } from '../operate.js'
import { apiKeyJson } from '../output/api-key-json.js'
import { listed } from '../output/table.js'
import { typed } from '../../program-name.js'

const rowOf = (record: ApiKeyRecord): readonly string[] => {
  const { id, organisation, name, scopes, created_at, expires_at, last_used_at, revoked_at } =
    apiKeyJson(record)
  return [
    id,
    organisation,
    name ?? '-',
    scopes.join(','),
    created_at,
    expires_at ?? 'never',
    last_used_at ?? '-',
    revoked_at ?? '-',
  ]
}

/** `api-key list` */
export const listApiKeys = (context: CliContext): Command =>
  leafCommand('list', 'Show all keys, without their secrets.').action((options: JsonOption) =>
    operate(
      context,
      options,
      (operator) => operator.listApiKeys(),
      (records) => ({
        json: records.map(apiKeyJson),
        ...listed(
          ['ID', 'ORGANISATION', 'NAME', 'SCOPES', 'CREATED AT', 'EXPIRES AT', 'LAST USED AT', 'REVOKED AT'],
          records.map(rowOf),
          `There is no API key yet. Make one with: ${typed('api-key create --organisation CODE')}`,
        ),
      }),
    ),
  )

/** `api-key revoke ID` */
export const revokeApiKey = (context: CliContext): Command =>
  leafCommand('revoke', 'End a key.')
    .argument('<id>', 'the id that api-key list shows')
    .action((id: string, options: JsonOption) =>
      operate(
        context,
        options,
        (operator) => operator.revokeApiKey(id),
        (revoked) => ({
          json: { id: revoked.id, revoked: true },
          message: `API key ${revoked.id} is revoked; tokens obtained with it stop working within 60 seconds.`,
        }),
      ),
    )
