import type { HiddenNames } from '../../../domain/session/sandbox-policy.ts'

/**
 * What log-ins and keys are usually called, wherever a person keeps them: a folder of tools is shown to every session,
 * and people put a tool's key next to it. No program has one of these names. A directory called `.env` is usually a
 * Python installation, so files and directories are listed apart.
 */
export const CREDENTIAL_NAMES: Omit<HiddenNames, 'within'> = {
  files: [
    // Tools of many kinds.
    'credentials',
    'credentials.json',
    'credentials.toml',
    'credentials.yaml',
    'credentials.yml',
    'credentials.tfrc.json',
    '.credentials',
    '.credentials.json',
    'application_default_credentials.json',
    'client_secret.json',
    'service-account.json',
    'service_account.json',
    'auth.json',
    'auth.toml',
    'secrets.json',
    'secrets.toml',
    'secrets.yaml',
    'secrets.yml',
    '.vault-token',
    '.htpasswd',
    // Variables for programs.
    '.env',
    '.env.local',
    '.env.development',
    '.env.development.local',
    '.env.production',
    '.env.production.local',
    '.env.staging',
    '.env.test.local',
    '.envrc',
    // Machines and forges.
    '.netrc',
    '_netrc',
    '.authinfo',
    '.authinfo.gpg',
    '.git-credentials',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ecdsa_sk',
    'id_ed25519',
    'id_ed25519_sk',
    // Package registries. `npm config set --global` writes to the last one.
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    'etc/npmrc',
    // Clouds and databases.
    '.s3cfg',
    '.boto',
    '.terraformrc',
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
  ],
  directories: ['.ssh', '.gnupg', '.password-store', '.aws', '.azure', '.gcloud', '.kube', '.docker', '.oci'],
}
