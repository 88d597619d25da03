export declare const realDataFolder: string;
