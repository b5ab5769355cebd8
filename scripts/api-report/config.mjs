import { join } from 'node:path'
import { ExtractorConfig } from '@microsoft/api-extractor'

const silent = { logLevel: 'none' }
const failing = { logLevel: 'error' }

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
}

/** The configuration of one entry; its report, if it has one, is written to the folder `etc` of its package. */
export const configOf = ({ folder, name, types, hasReport }, temporary) =>
  ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: {
        enabled: hasReport,
        reportFileName: `${name}.api.md`,
        reportFolder: join(folder, 'etc'),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: failing },
        extractorMessageReporting: { default: silent, 'ae-forgotten-export': failing },
        tsdocMessageReporting: { default: silent },
      },
    },
  })
