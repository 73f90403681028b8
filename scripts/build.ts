/** Builds the package: compiled sources and the host's shell script beside them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'

const HOST_SCRIPT = 'adapters/hosts/local/host.sh'

rmSync('dist', { recursive: true, force: true })
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })
cpSync(`src/${HOST_SCRIPT}`, `dist/${HOST_SCRIPT}`)
chmodSync('dist/bin.js', 0o755)
