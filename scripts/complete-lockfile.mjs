// To be run after a change of dependencies: node scripts/complete-lockfile.mjs
//
// Tools in native code have one optional package per platform. npm leaves packages out of the lockfile if the registry does not
// offer them, and then `npm ci` refuses the lockfile as incomplete on every platform. This script adds these packages by the
// declarations of their dependents, so that each platform installs its own.
import { readFileSync, writeFileSync } from 'node:fs'

const file = 'package-lock.json'
const platform = /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ppc64|riscv64|s390x|ia32)\b/

const libcOf = (name) => {
  if (name.includes('musl')) return { libc: ['musl'] }
  return name.includes('linux') && name.includes('gnu') ? { libc: ['glibc'] } : {}
}

const entryOf = (name, version, parent) => {
  // Packages compiled to WebAssembly run on every system, and npm installs them on request.
  const [, os, cpu] = platform.exec(name) ?? (name.includes('wasm32') ? ['', undefined, 'wasm32'] : [])
  if (cpu === undefined) throw new Error(`${name}: its name does not say which platform it is for`)
  const { dev, engines } = parent
  return {
    version,
    cpu: [cpu],
    ...(dev === undefined ? {} : { dev }),
    ...libcOf(name),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
    ...(engines === undefined ? {} : { engines }),
  }
}

const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = Object.entries(lock.packages).flatMap(([path, parent]) =>
  Object.entries(parent.optionalDependencies ?? {})
    .filter(
      ([name]) =>
        !(`node_modules/${name}` in lock.packages || `${path}/node_modules/${name}` in lock.packages),
    )
    .map(([name, version]) => [`node_modules/${name}`, entryOf(name, version, parent)]),
)
const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) })
packages.sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
console.error(`${missing.length} optional packages of other platforms entered`)
