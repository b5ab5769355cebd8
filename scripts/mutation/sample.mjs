// Limits Stryker to a sample of the mutants: those with a digest below MUTANTS_SAMPLE, a fraction of 1. The sample is the same
// each time, and does not depend on other files.
import { createHash } from 'node:crypto'
import { CheckStatus } from '@stryker-mutator/api/check'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** From 0 to 1, by the source, the position and the replacement of a mutant. */
const digestOf = ({ fileName, location, mutatorName, replacement }) => {
  const what = JSON.stringify([fileName.split('/packages/')[1], location, mutatorName, replacement])
  return createHash('sha256').update(what).digest().readUInt32BE() / 2 ** 32
}

class Sample {
  init = async () => undefined

  check = async (mutants) =>
    Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        digestOf(mutant) < Number(process.env.MUTANTS_SAMPLE)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: 'not in the sample' },
      ]),
    )
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)]
