import { demoJson, demoText, servingText } from '../../demo/demo-text.js'
import type { Demo } from '../../demo/ensure-demo.js'
import type { CliIo, JsonOption } from '../cli-io.js'
import type { CommandOutput, Told } from '../command-result.js'

/** Where nobody looks, stderr is the log alone, which says where the server is: a line of another form would break it. */
export const isTold = (
  { terminal }: CliIo,
  { json, demo }: JsonOption & Readonly<{ demo?: true }>,
): boolean => json === true || demo === true || terminal !== undefined

/** The message of `serve` once it serves. `demo`: there where demo data was asked for; `made` is absent where none was made. */
export const serving = (
  address: string,
  demo: Readonly<{ made: Demo | undefined }> | undefined,
  notices: readonly string[],
): CommandOutput => ({ notices, ...told(address, demo) })

const told = (
  address: string,
  demo: Readonly<{ made: Demo | undefined }> | undefined,
): Told & Readonly<{ json: unknown }> =>
  demo === undefined
    ? { json: { address }, message: servingText(address) }
    : { json: { address, demo: demoJson(demo.made) }, message: demoText(address, demo.made) }
