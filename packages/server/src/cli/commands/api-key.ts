import { Command } from 'commander'
import { createApiKey } from './api-key-create.js'
import { listApiKeys, revokeApiKey } from './api-key-manage.js'
import type { CliContext } from '../cli-context.js'

/** `api-key create | list | revoke` */
export const apiKeyCommand = (context: CliContext): Command =>
  new Command('api-key')
    .description('Keys with which an organisation obtains tokens.')
    .addCommand(createApiKey(context))
    .addCommand(listApiKeys(context))
    .addCommand(revokeApiKey(context))
