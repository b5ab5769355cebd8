import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where a program is: in the search path, or where distributions keep servers. Undefined when it is not there. */
export const findExecutable = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/libexec']
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable)
