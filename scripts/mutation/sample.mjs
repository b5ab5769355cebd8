// Lets Stryker try a part of the mutants only: those whose digest falls below MUTANTS_SAMPLE, a fraction of 1. The
// same part each time, and whatever is done to other files.
import { createHash } from 'node:crypto'
import { CheckStatus } from '@stryker-mutator/api/check'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** By what is changed, where, and into what. */
const isInSample = ({ fileName, location, mutatorName, replacement }) => {
  const what = JSON.stringify([fileName.split('/packages/')[1], location, mutatorName, replacement])
  return (
    createHash('sha256').update(what).digest().readUInt32BE() / 2 ** 32 < Number(process.env.MUTANTS_SAMPLE)
  )
}

class Sample {
  async init() {
    // Nothing has to be made ready.
  }

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isInSample(mutant)
          ? { status: CheckStatus.Passed }
          : { status: CheckStatus.CompileError, reason: 'not in the sample' },
      ]),
    )
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)]
