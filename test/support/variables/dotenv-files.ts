/** A file as people have it, and what two readers make of it. */
export interface DotenvFile {
  shape: string;
  text: readonly string[];
  /** What dotenv 18.0.10 reads; 17.4.2 reads the same. */
  dotenv: Record<string, string>;
  /** Where dotenv-expand 12.0.3 then changes a value; 1000.0.0 runs commands too. */
  expanded: Record<string, string>;
  /** How each of our errors begins: none if both read what we read. */
  refused: readonly string[];
}

/** Written for this test, in the shapes of files in public repositories. */
export const dotenvFiles: readonly DotenvFile[] = [
  {
    shape: 'Laravel',
    text: [
      'APP_NAME=Shop',
      'APP_ENV=production',
      'APP_KEY=base64:bm90LWEtcmVhbC1rZXk=',
      'APP_DEBUG=false',
      'APP_URL=https://shop.example',
      '',
      'LOG_CHANNEL=stack',
      'DB_CONNECTION=mysql',
      'DB_PASSWORD=',
      'MAIL_FROM_ADDRESS="hello@shop.example"',
      `MAIL_FROM_NAME="\${APP_NAME}"`,
      `VITE_APP_NAME="\${APP_NAME}"`,
    ],
    dotenv: {
      APP_NAME: 'Shop',
      APP_ENV: 'production',
      APP_KEY: 'base64:bm90LWEtcmVhbC1rZXk=',
      APP_DEBUG: 'false',
      APP_URL: 'https://shop.example',
      LOG_CHANNEL: 'stack',
      DB_CONNECTION: 'mysql',
      DB_PASSWORD: '',
      MAIL_FROM_ADDRESS: 'hello@shop.example',
      MAIL_FROM_NAME: `\${APP_NAME}`,
      VITE_APP_NAME: `\${APP_NAME}`,
    },
    expanded: { MAIL_FROM_NAME: 'Shop', VITE_APP_NAME: 'Shop' },
    refused: ['line 11', 'line 12'],
  },
  {
    shape: 'Next.js',
    text: [
      'NEXT_PUBLIC_SITE_URL=https://shop.example',
      'NEXTAUTH_SECRET=bm90LWEtcmVhbC1zZWNyZXQ=',
      'NEXTAUTH_URL=$NEXT_PUBLIC_SITE_URL/api/auth',
    ],
    dotenv: {
      NEXT_PUBLIC_SITE_URL: 'https://shop.example',
      NEXTAUTH_SECRET: 'bm90LWEtcmVhbC1zZWNyZXQ=',
      NEXTAUTH_URL: '$NEXT_PUBLIC_SITE_URL/api/auth',
    },
    expanded: { NEXTAUTH_URL: 'https://shop.example/api/auth' },
    refused: ['line 3'],
  },
  {
    shape: 'Django',
    text: [
      'DEBUG=off',
      "SECRET_KEY='django-insecure-not=a-real+key!'",
      'ALLOWED_HOSTS=.shop.example,localhost',
      'DATABASE_URL=postgres://shop:fake@db:5432/shop?sslmode=require',
    ],
    dotenv: {
      DEBUG: 'off',
      SECRET_KEY: 'django-insecure-not=a-real+key!',
      ALLOWED_HOSTS: '.shop.example,localhost',
      DATABASE_URL: 'postgres://shop:fake@db:5432/shop?sslmode=require',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Rails',
    text: [
      'RAILS_ENV=production',
      'SECRET_KEY_BASE=0123456789abcdef0123456789abcdef',
      'RAILS_MAX_THREADS=5',
      'REDIS_URL=redis://localhost:6379/1',
    ],
    dotenv: {
      RAILS_ENV: 'production',
      SECRET_KEY_BASE: '0123456789abcdef0123456789abcdef',
      RAILS_MAX_THREADS: '5',
      REDIS_URL: 'redis://localhost:6379/1',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Prisma',
    text: [
      '# This was inserted by `prisma init`:',
      '# See the documentation for the connection string options.',
      '',
      'DATABASE_URL="postgresql://fake:fake@localhost:5432/shop?schema=public&connection_limit=5"',
      'DIRECT_URL="postgresql://fake:fake@localhost:5432/shop"',
    ],
    dotenv: {
      DATABASE_URL: 'postgresql://fake:fake@localhost:5432/shop?schema=public&connection_limit=5',
      DIRECT_URL: 'postgresql://fake:fake@localhost:5432/shop',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Docker Compose',
    text: [
      'COMPOSE_PROJECT_NAME=shop',
      'TAG=v1.5',
      `IMAGE=registry.example/shop:\${TAG}`,
      `WEB_PORT=\${PORT:-8080}`,
    ],
    dotenv: {
      COMPOSE_PROJECT_NAME: 'shop',
      TAG: 'v1.5',
      IMAGE: `registry.example/shop:\${TAG}`,
      WEB_PORT: `\${PORT:-8080}`,
    },
    expanded: { IMAGE: 'registry.example/shop:v1.5', WEB_PORT: '8080' },
    refused: ['line 3', 'line 4'],
  },
  {
    shape: 'Supabase',
    text: [
      'NEXT_PUBLIC_SUPABASE_URL=https://abcdefghij.supabase.example',
      'NEXT_PUBLIC_SUPABASE_ANON_KEY=eyJhbGciOiJub25lIn0.eyJmYWtlIjp0cnVlfQ.fake-signature_0',
    ],
    dotenv: {
      NEXT_PUBLIC_SUPABASE_URL: 'https://abcdefghij.supabase.example',
      NEXT_PUBLIC_SUPABASE_ANON_KEY: 'eyJhbGciOiJub25lIn0.eyJmYWtlIjp0cnVlfQ.fake-signature_0',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Firebase on the server, with its key on one line',
    text: [
      'FIREBASE_PROJECT_ID=shop',
      String.raw`FIREBASE_PRIVATE_KEY="-----BEGIN FAKE KEY-----\nbm90LWEta2V5\n-----END FAKE KEY-----\n"`,
    ],
    dotenv: {
      FIREBASE_PROJECT_ID: 'shop',
      FIREBASE_PRIVATE_KEY: '-----BEGIN FAKE KEY-----\nbm90LWEta2V5\n-----END FAKE KEY-----\n',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a service account in single quotes',
    text: [
      String.raw`GOOGLE_CREDENTIALS='{"type":"service_account","private_key":"-----BEGIN FAKE KEY-----\nbm90\n"}'`,
      'REGION=eu',
    ],
    dotenv: {
      GOOGLE_CREDENTIALS: String.raw`{"type":"service_account","private_key":"-----BEGIN FAKE KEY-----\nbm90\n"}`,
      REGION: 'eu',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a service account in escaped double quotes',
    text: [
      String.raw`GOOGLE_CREDENTIALS="{\"type\":\"service_account\",\"project_id\":\"shop\"}"`,
      'REGION=eu',
    ],
    dotenv: {
      GOOGLE_CREDENTIALS: String.raw`{\"type\":\"service_account\",\"project_id\":\"shop\"}`,
      REGION: 'eu',
    },
    expanded: {},
    refused: ['line 1'],
  },
  {
    shape: 'notes behind the values',
    text: [
      'PORT=3000 # the port',
      'HOST="0.0.0.0" # all interfaces',
      "NAME='my shop' # with a space",
      'TOKEN= # to be set',
    ],
    dotenv: { PORT: '3000', HOST: '0.0.0.0', NAME: 'my shop', TOKEN: '' },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a bcrypt hash',
    text: ['ADMIN_HASH=$2y$10$abcdefghijklmnopqrstuv', 'ADMIN=root'],
    dotenv: { ADMIN_HASH: '$2y$10$abcdefghijklmnopqrstuv', ADMIN: 'root' },
    expanded: { ADMIN_HASH: '$2y$10' },
    refused: ['line 1'],
  },
  {
    shape: 'an address made of other variables',
    text: [
      'DB_USER=shop',
      'DB_PASSWORD=fake',
      `DATABASE_URL="postgres://\${DB_USER}:\${DB_PASSWORD}@db:5432/shop"`,
    ],
    dotenv: {
      DB_USER: 'shop',
      DB_PASSWORD: 'fake',
      DATABASE_URL: `postgres://\${DB_USER}:\${DB_PASSWORD}@db:5432/shop`,
    },
    expanded: { DATABASE_URL: 'postgres://shop:fake@db:5432/shop' },
    refused: ['line 3'],
  },
  {
    shape: 'a file that a shell reads',
    text: [
      '#!/bin/sh',
      'export NODE_ENV=production',
      'export PATH_PREFIX="/opt/shop"',
      "export GREETING='hello world'",
    ],
    dotenv: { NODE_ENV: 'production', PATH_PREFIX: '/opt/shop', GREETING: 'hello world' },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a file that a shell reads, with a reference',
    text: ['export ROOT=/srv', 'export DATA="$ROOT/data"'],
    dotenv: { ROOT: '/srv', DATA: '$ROOT/data' },
    expanded: { DATA: '/srv/data' },
    refused: ['line 2'],
  },
  {
    shape: 'a path of Windows without quotes',
    text: [String.raw`DATA=C:\data\new`, String.raw`TEMP=D:\temp`],
    dotenv: { DATA: String.raw`C:\data\new`, TEMP: String.raw`D:\temp` },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a folder of Windows with a backslash at its end',
    text: [String.raw`DATA='C:\data\'`, String.raw`TEMP='D:\temp'`],
    dotenv: { DATA: 'C:\\data\\', TEMP: String.raw`D:\temp` },
    expanded: {},
    refused: ['line 1'],
  },
  {
    shape: 'a regular expression',
    text: [
      String.raw`ALLOWED_ORIGINS=^https://[\w-]+\.shop\.example$`,
      String.raw`PATTERN="^\d{3}$"`,
    ],
    dotenv: {
      ALLOWED_ORIGINS: String.raw`^https://[\w-]+\.shop\.example$`,
      PATTERN: String.raw`^\d{3}$`,
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a schedule',
    text: ['CRON=*/5 * * * *', 'TZ=Europe/Berlin'],
    dotenv: { CRON: '*/5 * * * *', TZ: 'Europe/Berlin' },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a policy',
    text: ["CSP=default-src 'self'; img-src * data:", 'FRAME="\'none\'"'],
    dotenv: { CSP: "default-src 'self'; img-src * data:", FRAME: "'none'" },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a sender',
    text: ['MAIL_FROM="Shop" <hello@shop.example>', 'MAIL_HOST=smtp.example'],
    dotenv: { MAIL_FROM: '"Shop" <hello@shop.example>', MAIL_HOST: 'smtp.example' },
    expanded: {},
    refused: ['line 1'],
  },
  {
    shape: 'a sender in single quotes',
    text: ['MAIL_FROM=\'"Shop" <hello@shop.example>\'', 'MAIL_HOST=smtp.example'],
    dotenv: { MAIL_FROM: '"Shop" <hello@shop.example>', MAIL_HOST: 'smtp.example' },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Symfony',
    text: [
      '###> symfony/framework-bundle ###',
      'APP_ENV=prod',
      'APP_SECRET=0123456789abcdef',
      '###< symfony/framework-bundle ###',
      '',
      '###> doctrine/doctrine-bundle ###',
      'DATABASE_URL="mysql://app:fake@127.0.0.1:3306/app?serverVersion=8.0.32&charset=utf8mb4"',
      '###< doctrine/doctrine-bundle ###',
    ],
    dotenv: {
      APP_ENV: 'prod',
      APP_SECRET: '0123456789abcdef',
      DATABASE_URL: 'mysql://app:fake@127.0.0.1:3306/app?serverVersion=8.0.32&charset=utf8mb4',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'Sentry, Stripe and S3',
    text: [
      'SENTRY_DSN=https://0123@o1.ingest.sentry.example/2',
      'STRIPE_WEBHOOK_SECRET=whsec_fake+fake/fake=',
      'S3_BUCKET=s3://shop-uploads/',
      'AWS_SECRET_ACCESS_KEY=not/a+real/key==',
    ],
    dotenv: {
      SENTRY_DSN: 'https://0123@o1.ingest.sentry.example/2',
      STRIPE_WEBHOOK_SECRET: 'whsec_fake+fake/fake=',
      S3_BUCKET: 's3://shop-uploads/',
      AWS_SECRET_ACCESS_KEY: 'not/a+real/key==',
    },
    expanded: {},
    refused: [],
  },
  {
    shape: 'a backslash at the end of a line',
    text: ['OPTIONS=--inspect \\', 'NODE_ENV=production'],
    dotenv: { OPTIONS: '--inspect \\', NODE_ENV: 'production' },
    expanded: {},
    refused: [],
  },
  {
    shape: 'SOPS',
    text: [
      'DB_PASSWORD=ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      'API_KEY=ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      'sops_lastmodified=2026-01-01T00:00:00Z',
      'sops_mac=ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      'sops_version=3.9.0',
    ],
    dotenv: {
      DB_PASSWORD: 'ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      API_KEY: 'ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      sops_lastmodified: '2026-01-01T00:00:00Z',
      sops_mac: 'ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]',
      sops_version: '3.9.0',
    },
    expanded: {},
    refused: ['line 1', 'line 3'],
  },
  {
    shape: 'dotenvx',
    text: [
      '#/-------------------[DOTENV_PUBLIC_KEY]--------------------/',
      'DOTENV_PUBLIC_KEY="03fake0123456789"',
      '',
      'HELLO="encrypted:BGZha2UgY2lwaGVydGV4dCB0aGF0IGlzIGFzIGxvbmcgYXMgdGhhdCBvZiBkb3RlbnZ4LCBhIHBvaW50IG9mIGEgY3VydmUsIGEgbm9uY2UsIGEgdGFnIGFuZCBhIHRleHQ="',
      'NODE_ENV=production',
    ],
    dotenv: {
      DOTENV_PUBLIC_KEY: '03fake0123456789',
      HELLO:
        'encrypted:BGZha2UgY2lwaGVydGV4dCB0aGF0IGlzIGFzIGxvbmcgYXMgdGhhdCBvZiBkb3RlbnZ4LCBhIHBvaW50IG9mIGEgY3VydmUsIGEgbm9uY2UsIGEgdGFnIGFuZCBhIHRleHQ=',
      NODE_ENV: 'production',
    },
    expanded: {},
    refused: ['line 2', 'line 4'],
  },
  {
    shape: 'a backslash at the end of a line, in quotes',
    text: ['OPTIONS="--inspect \\', '--trace"', 'NODE_ENV=production'],
    dotenv: { OPTIONS: '--inspect \\\n--trace', NODE_ENV: 'production' },
    expanded: {},
    refused: [],
  },
];

/** Values in single quotes, whose dollar signs only dotenv-expand replaces: it doesn't see the quotes. */
export const singleQuoted: readonly DotenvFile[] = [
  {
    shape: 'a reference',
    text: ['NAME=shop', `LITERAL='\${NAME} $NAME $(echo fake)'`],
    dotenv: { NAME: 'shop', LITERAL: `\${NAME} $NAME $(echo fake)` },
    expanded: { LITERAL: 'shop shop $(echo fake)' },
    refused: [],
  },
  {
    shape: 'an escaped $',
    text: [String.raw`LITERAL='fake\$pass'`],
    dotenv: { LITERAL: String.raw`fake\$pass` },
    expanded: { LITERAL: 'fake$pass' },
    refused: [],
  },
  {
    shape: 'a bcrypt hash',
    text: ["ADMIN_HASH='$2y$10$abcdefghijklmnopqrstuv'"],
    dotenv: { ADMIN_HASH: '$2y$10$abcdefghijklmnopqrstuv' },
    expanded: { ADMIN_HASH: '$2y$10' },
    refused: [],
  },
  {
    shape: 'several lines',
    text: ["SCRIPT='#!/bin/sh", 'echo "$HOME"', "'"],
    dotenv: { SCRIPT: '#!/bin/sh\necho "$HOME"\n' },
    expanded: { SCRIPT: '#!/bin/sh\necho ""\n' },
    refused: [],
  },
];
