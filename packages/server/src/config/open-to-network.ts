import { isLoopback } from '@account-import/core/adapter-kit'
import type { ServerConfig } from './server-config.js'

/** Whether others than this machine can reach the service, which speaks no TLS itself. */
export const isOpenToNetwork = ({ host }: Pick<ServerConfig, 'host'>): boolean => !isLoopback(host)
