import { expect, it } from 'vitest'
import { credentialPaths } from './credential-paths.ts'

const isHidden = (file: string, ownPaths: readonly string[] = []) =>
  credentialPaths(['/home/ada'], ownPaths).some((path) => `/home/ada/${file}/`.startsWith(`${path}/`))

it.each([
  ['ssh', ['.ssh/id_ed25519', '.gnupg/private-keys-v1.d/key']],
  [
    'git and its forges',
    ['.netrc', '.git-credentials', '.config/gh/hosts.yml', '.config/glab-cli/config.yml'],
  ],
  ['npm, yarn and pnpm', ['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pnpm/auth.ini']],
  ['pip', ['.pypirc', '.pip/pip.conf', '.config/pip/pip.conf']],
  [
    'cargo, gem and composer',
    ['.cargo/credentials.toml', '.gem/credentials', '.gemrc', '.composer/auth.json'],
  ],
  ['maven, gradle and nuget', ['.m2/settings.xml', '.gradle/gradle.properties', '.nuget/NuGet/NuGet.Config']],
  ['docker and kubernetes', ['.docker/config.json', '.dockercfg', '.kube/config']],
  ['clouds', ['.aws/credentials', '.config/gcloud/credentials.db', '.azure/msal_token_cache.json']],
  ['terraform and vault', ['.terraform.d/credentials.tfrc.json', '.terraformrc', '.tofurc', '.vault-token']],
  ['heroku and fly', ['.config/heroku/config.json', '.local/share/heroku/x', '.fly/config.yml']],
  ['vercel and netlify', ['.local/share/com.vercel.cli/auth.json', '.config/netlify/config.json']],
  ['hugging face', ['.cache/huggingface/token', '.cache/huggingface/stored_tokens']],
])('hides the log-ins of %s', (_, files) => {
  expect(files.filter((file) => !isHidden(file))).toEqual([])
})

it("shows a program its own log-in, but no other program's", () => {
  expect([isHidden('.claude/login', ['.claude']), isHidden('.codex/auth.json', ['.claude'])]).toEqual([
    false,
    true,
  ])
})
