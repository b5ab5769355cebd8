import { resolve } from 'node:path'
import { E } from '@account-import/core/fp'
import { accessFault } from '@account-import/account-files'
import { given } from '../kit/arguments.js'
import {
  type CliContext,
  type CommandResult,
  exampleService,
  exitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import { bodyOf, type Connected, httpUrl, throughApi } from '../kit/connection.js'
import { InputFile } from '../kit/files.js'
import { stoppable } from '../kit/file-run.js'
import { defaultProfile, profileName, profilePath, writeProfile } from '../kit/profiles.js'
import { privacyText } from '../private-file.js'
import { Option } from 'commander'

type Options = Readonly<{ url: string; apiKeyFile: string; team?: string; profile: string; plainHttp?: true }>

const about = `Remember address, key file and team for the commands that call the API. The service has to accept the key first.
The profile has the path of the file with the key, and not the key. Its file is for its owner alone.`

const login = async (
  { io }: CliContext,
  { client, names }: Connected,
  { url, apiKeyFile, team, profile: name, plainHttp }: Options,
  signal: AbortSignal,
): Promise<CommandResult> => {
  const access = bodyOf(await client.access({ signal }), names)
  if (E.isLeft(access)) return access
  const fault =
    team === undefined ? undefined : accessFault(access.right, { scopes: [], importSuppliers: [], team })
  if (fault !== undefined) throw fault
  const path = profilePath(io.environment, name)
  if (path === undefined)
    return E.left(
      refused(
        'no_config_folder',
        'There is no folder for the profile: set HOME (on Windows APPDATA) or XDG_CONFIG_HOME.',
      ),
    )
  const profile = { url, apiKeyFile: resolve(apiKeyFile), ...given({ team, plainHttp }) }
  try {
    await writeProfile(path, profile)
  } catch {
    const detail = `The profile ${path} cannot be written.`
    return E.left({ exitCode: exitCode.environment, code: 'output_not_writable', detail })
  }
  const { organisation, scopes } = access.right
  const use = name === defaultProfile ? 'Commands use it' : `Commands use it with --profile ${name}`
  return E.right({
    json: {
      profile: name,
      path,
      url,
      api_key_file: profile.apiKeyFile,
      team: team ?? null,
      organisation,
      scopes,
    },
    message: `The service accepts the key of ${organisation} (${scopes.join(', ')}).\nWritten: ${path} (${privacyText()}). ${use}.`,
  })
}

/** `login --url U --api-key-file FILE [--team T] [--profile NAME]` */
export const make = (context: CliContext) =>
  leafCommand('login', about)
    .example(
      `login ${exampleService}`,
      `login --profile pilot --url https://pilot.example --api-key-file pilot-key --team 'Migration team'`,
    )
    .addOption(
      new Option('--url <url>', 'address of the service, with its base path')
        .argParser(httpUrl)
        .makeOptionMandatory(),
    )
    .addOption(new InputFile('--api-key-file <file>', 'file that contains the API key').makeOptionMandatory())
    .option('--team <name>', 'the operations team that accounts are created under')
    .option('--plain-http', 'allow an http:// address beyond this machine: the network can read the key then')
    .option('--profile <name>', 'name of the profile', profileName, defaultProfile)
    .action(async (options: Options) => {
      if (options.apiKeyFile === '-')
        return context.finish(
          E.left(
            refused(
              'usage',
              'Name a file with the key: a profile stores no key, so it cannot be read from the standard input.',
            ),
          ),
        )
      await throughApi(context, options, (connected) =>
        stoppable((stop) => login(context, connected, options, stop)),
      )
    })
