import { failure, success } from '../../../src/domain/result.ts'
import type { TrustCommands, TrustView } from '../../../src/engine/trust/trust-commands.ts'
import { NOW } from './sample-records.ts'

const PARTS = [{ field: 'checks[0]', value: 'npm test', effect: 'runs-programs' }] as const

const VIEW: TrustView = {
  repositoryPath: '/garden',
  digest: 'abc',
  parts: PARTS,
  untrusted: PARTS,
  isTrusted: false,
}

/** Trust commands that only record their calls. */
export function createStandInTrust(acts: string[]): TrustCommands {
  return {
    show: async (path) => (path === '/garden' ? success(VIEW) : failure({ type: 'path-missing', path })),
    async trust(repositoryPath, digest) {
      acts.push(`trust ${repositoryPath} ${digest}`)
      if (digest === VIEW.digest) return success({ ...VIEW, untrusted: [], isTrusted: true })
      return failure({ type: 'configuration-changed', repositoryPath, digest: VIEW.digest })
    },
    async revoke(repositoryPath) {
      acts.push(`revoke ${repositoryPath}`)
      return true
    },
    list: async () => [{ path: '/garden', digest: 'abc', trustedAt: NOW }],
  }
}
