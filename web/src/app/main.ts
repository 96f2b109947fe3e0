import { mount } from 'svelte';
import '../kit/theme.css';
import App from './App.svelte';

mount(App, { target: document.getElementById('app')! });
