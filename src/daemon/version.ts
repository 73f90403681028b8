import packageJson from '../../package.json' with { type: 'json' }

export const MUSTER_VERSION: string = packageJson.version
