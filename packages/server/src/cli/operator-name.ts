import { userInfo } from 'node:os'

/** Who runs the command on this machine. A container may run as a user that has a number and no name. */
export const operatorName = (): string => {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
