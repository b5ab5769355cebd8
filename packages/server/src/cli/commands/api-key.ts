import { Command } from 'commander'
import { createApiKey } from './api-key-create.js'
import { rotateApiKey } from './api-key-rotate.js'
import { listApiKeys, revokeApiKey } from './api-key-manage.js'
import type { CliContext } from '../cli-context.js'

/** `api-key create | list | rotate | revoke` */
export const apiKeyCommand = (context: CliContext): Command =>
  new Command('api-key')
    .description('Keys with which an organisation obtains tokens.')
    .addCommand(createApiKey(context))
    .addCommand(listApiKeys(context))
    .addCommand(rotateApiKey(context))
    .addCommand(revokeApiKey(context))
