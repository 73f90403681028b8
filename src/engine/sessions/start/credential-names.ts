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
    '.env.*',
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
    // Private keys. Other `.pem` files are usually certificates, which programs need.
    'id_*.pem',
    '*key.pem',
    // Package registries. `npm config set --global` writes to the last one.
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    'pip.conf',
    '.gemrc',
    'etc/npmrc',
    // Clouds and databases.
    '.s3cfg',
    '.boto',
    '.terraformrc',
    '.tofurc',
    '.dockercfg',
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
  ],
  harmlessFiles: [
    ...['.env.example', '.env.sample', '.env.template', '.env.dist'],
    ...['*pubkey.pem', '*publickey.pem', '*public-key.pem', '*public_key.pem'],
  ],
  directories: ['.ssh', '.gnupg', '.password-store', '.aws', '.azure', '.gcloud', '.kube', '.docker', '.oci'],
}
