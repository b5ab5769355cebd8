import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

// The packages are ES modules only, so findings about older module resolutions are ignored.
const leftOut = new Set(['node10', 'node16-cjs'])

const typesAreWrong = async (name, bytes) => {
  const { problems = [], types } = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)))
  if (types === false) return [`${name} has no types`]
  return problems
    .filter(({ resolutionKind }) => !leftOut.has(resolutionKind))
    .map((problem) => `${name}: ${problem.kind} ${problem.entrypoint ?? ''} ${problem.resolutionKind ?? ''}`)
}

/** The findings of publint (strict) and attw in the tarballs. */
export const lint = async (packed) => {
  const faults = []
  for (const { name, tarball } of packed) {
    const bytes = readFileSync(tarball)
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    })
    faults.push(
      ...messages.map((message) => `${name}: ${formatMessage(message, pkg, { color: false })}`),
      ...(await typesAreWrong(name, bytes)),
    )
  }
  return faults
}
