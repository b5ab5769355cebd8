import { findExecutable } from './executables.js'

/** Where Chromium is; undefined where it is not installed. */
export const chromiumProgram = (): string | undefined => findExecutable('chromium')

/**
 * Whether Chromium is installed. With REQUIRE_SERVERS=1 its absence is an error; without, AVA's configuration says
 * once for all test files what is left out.
 */
export const chromiumAvailable = (): boolean => {
  if (chromiumProgram() !== undefined) return true
  if (process.env['REQUIRE_SERVERS'] === '1')
    throw new Error('Chromium is not installed, and REQUIRE_SERVERS=1 asks for it')
  return false
}
