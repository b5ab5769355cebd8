import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

// The content of the base image is mounted from this machine, read-only.
const borrowed = ['usr', 'etc']
const links = ['bin', 'sbin', 'lib', 'lib64'].map((name) => `ln -sfn usr/${name} "$ROOT/${name}"`)

/** An empty root, in which a stage is built; it has the user of the official images. */
export const emptyRoot = (root) => {
  for (const name of [...borrowed, 'proc', 'dev', 'tmp', 'root', 'data'])
    mkdirSync(join(root, name), { recursive: true })
  mkdirSync(join(root, 'root/.npm'))
  writeFileSync(join(root, 'root/.npmrc'), '')
  const without = (file) => readFileSync(file, 'utf8').replace(/^(node|.*:1000:).*\n/gm, '')
  writeFileSync(join(root, '.passwd'), `${without('/etc/passwd')}node:x:1000:1000::/home/node:/bin/sh\n`)
  writeFileSync(join(root, '.group'), `${without('/etc/group')}node:x:1000:\n`)
  return root
}

const mounts = (readOnly) =>
  [
    'mount --bind "$ROOT" "$ROOT"',
    ...borrowed.map((name) => `mount --bind -o ro /${name} "$ROOT/${name}"`),
    ...['passwd', 'group'].map((name) => `mount --bind "$ROOT/.${name}" "$ROOT/etc/${name}"`),
    ...links,
    'mount --rbind /dev "$ROOT/dev"',
    'mount -t proc proc "$ROOT/proc"',
    'mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"',
    ...(readOnly
      ? ['mount --bind "$ROOT/data" "$ROOT/data"', 'mount -o remount,bind,ro "$ROOT"']
      : // npm as it is set up on this machine, and what it has downloaded before.
        ['.npm', '.npmrc']
          .filter((name) => existsSync(join(homedir(), name)))
          .map((name) => `mount --bind "${homedir()}/${name}" "$ROOT/root/${name}"`)),
  ].join('\n')

/**
 * Starts a program with `root` as its whole file system, as `user`, in `workdir`. Its mounts are private and end with
 * the program. With `readOnly` only /tmp and /data can be written.
 */
export const startIn = ({ root, workdir, user, env, args, readOnly = false, stdio = ['ignore', 2, 2] }) => {
  const as =
    user === undefined ? [] : ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs']
  const script = `set -e\nROOT=$1 WORKDIR=$2; shift 2\n${mounts(readOnly)}\nexec chroot "$ROOT" sh -c 'cd "$0" && exec "$@"' "$WORKDIR" "$@"`
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', root, workdir, ...as, ...args], {
    stdio,
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin',
      HOME: user === undefined ? '/root' : '/tmp',
      ...env,
    },
  })
}
