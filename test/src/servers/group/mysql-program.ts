import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findExecutable } from '../executables.js'

/** A program, and what it is always started with. */
export type Program = readonly [command: string, ...args: string[]]

/** Programs by which servers get a network of their own. */
const networkPrograms = ['ip', 'unshare', 'nsenter', 'setpriv']

/** MySQL out of another Debian, that was unpacked into a folder: it runs with the libraries of that. */
const unpacked = (root: string): Program => [
  `${root}/lib64/ld-linux-x86-64.so.2`,
  '--library-path',
  `${root}/usr/lib/x86_64-linux-gnu:${root}/usr/lib/mysql/private`,
  `${root}/usr/sbin/mysqld`,
  '--no-defaults',
  `--basedir=${root}/usr`,
  `--lc-messages-dir=${root}/usr/share/mysql`,
  `--character-sets-dir=${root}/usr/share/mysql/charsets`,
  `--plugin-dir=${root}/usr/lib/mysql/plugin`,
]

/** `TEST_MYSQL_ROOT` names such a folder; without it the server is the one in the search path, unless that is MariaDB. */
const mysqlProgram = (): Program | undefined => {
  const root = process.env['TEST_MYSQL_ROOT']
  if (root !== undefined && root !== '')
    return existsSync(`${root}/usr/sbin/mysqld`) ? unpacked(root) : undefined
  const server = findExecutable('mysqld')
  if (server === undefined || /mariadb/i.test(execFileSync(server, ['--version']).toString()))
    return undefined
  return [server, '--no-defaults']
}

/** The server of a group, or why there can be none here. */
export const groupProgram = (): Program | Readonly<{ missing: string }> => {
  const program = mysqlProgram()
  if (program === undefined) return { missing: 'MySQL (mysqld in the path, or TEST_MYSQL_ROOT)' }
  if (process.getuid?.() !== 0) return { missing: 'the right to make networks (root)' }
  const lacking = networkPrograms.filter((name) => findExecutable(name) === undefined)
  return lacking.length > 0 ? { missing: lacking.join(', ') } : program
}
